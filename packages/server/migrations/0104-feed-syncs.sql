-- Feeds are fetched now. A sync reads the live items of its source in the order of their ids.
create index catalog_items_source on catalog_items (project_id, source_id, item_id)
  where source_id is not null and to_rev is null;

-- Schedules that sources were given before anything kept them. Their first slot comes at once.
insert into job_schedules (source_id, project_id, kind, source_name, schedule, scheduled_at, next_at, overdue_at)
select id, project_id, 'feed_sync', name, schedule, now(), now(), now() + interval '3 days'
from catalog_sources where type = 'PRODUCTS' and schedule is not null;
