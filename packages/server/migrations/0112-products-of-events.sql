-- Which product a tracked event is about: models of recommendations learn from these.
alter table tracked_events add column product_id text;
