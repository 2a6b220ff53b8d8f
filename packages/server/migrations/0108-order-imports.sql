-- Orders are imported from files. With the trust AUTO, the first import of an environment decides from which time on only
-- orders count that an import knows. Until now there was one such time for a project, and nothing set it.
create table order_confirmations (
  env_id uuid primary key references environments on delete cascade,
  confirmed_from timestamptz not null,
  confirmed_at timestamptz not null
);
alter table catalogs drop column orders_confirmed_from;

-- Schedules that sources of orders were given before anything kept them. Their first slot comes at once.
insert into job_schedules (source_id, project_id, kind, source_name, schedule, scheduled_at, next_at, overdue_at)
select id, project_id, 'order_import', name, schedule, now(), now(), now() + interval '3 days'
from catalog_sources where type = 'ORDERS' and schedule is not null
on conflict do nothing;
