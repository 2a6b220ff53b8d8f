-- Supplements name items by their SKU or GTIN, too, and their live values are read in the order of items.
create index catalog_items_sku on catalog_items (project_id, (doc ->> 'sku'))
  where to_rev is null and doc ->> 'sku' is not null;
create index catalog_items_gtin on catalog_items (project_id, (doc ->> 'gtin'))
  where to_rev is null and doc ->> 'gtin' is not null;
create index catalog_values_source on catalog_values (project_id, source_id, item_id) where to_rev is null;

-- Schedules that supplements were given before anything kept them. Their first slot comes at once.
insert into job_schedules (source_id, project_id, kind, source_name, schedule, scheduled_at, next_at, overdue_at)
select id, project_id, case when fields ? 'cost' then 'cost_sync' else 'stock_sync' end, name, schedule, now(), now(),
  now() + interval '3 days'
from catalog_sources where type = 'SUPPLEMENT' and schedule is not null;
