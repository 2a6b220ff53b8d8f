-- Who changed the members of a segment last, when, how, and how many there were before and after. Null if nobody has since
-- this is kept.
alter table segments add column last_edit jsonb;
