/* page_board.h - boards over many runs: every suite at a glance, one suite by one measure; and two
 * runs compared. */
#ifndef WEB_PAGE_BOARD_H
#define WEB_PAGE_BOARD_H

#include "web/route.h"

page_fn page_board_show;
page_fn page_board_compare;

#endif
