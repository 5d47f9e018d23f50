/* page_party.h - models and judges over all runs: lists, and a page each. */
#ifndef WEB_PAGE_PARTY_H
#define WEB_PAGE_PARTY_H

#include "web/route.h"

page_fn page_party_models;
page_fn page_party_model;
page_fn page_party_judges;
page_fn page_party_judge;

#endif
