-- Nodes that serve recommendations read what each revision has changed. What it has closed is found by `to_rev`.
create index catalog_items_begun on catalog_items (project_id, from_rev);
create index catalog_values_begun on catalog_values (project_id, from_rev);
