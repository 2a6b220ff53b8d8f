-- What a revision began and ended is found without reading the whole catalog, in portions: to undo it, and to restore
-- the one before.
create index catalog_items_begun on catalog_items (project_id, from_rev, item_id);
create index catalog_values_begun on catalog_values (project_id, from_rev, item_id);
drop index catalog_items_superseded;
create index catalog_items_superseded on catalog_items (project_id, to_rev, item_id) where to_rev is not null;
-- Words of new items wait in a list until they are sorted into the index, by the batch that fills the list. With the
-- default of 4 MB, this batch takes five times as long as others.
alter index catalog_items_words set (gin_pending_list_limit = 1024);
