-- What a role may say of itself went by the card of one character, where several play: such runs are scored anew.
UPDATE run SET stale = 1, sealed = '' WHERE frozen LIKE '%"cast":{%';
