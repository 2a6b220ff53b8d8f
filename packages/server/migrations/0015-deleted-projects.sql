-- A deleted project belongs to no organization from then on: nothing finds it, and its key is free. Its rows go in
-- batches later. The indexes are partial so that they make no key of `org_id`: setting it to null does not wait for
-- those who write rows of the project, nor do they wait for it.
alter table projects alter column org_id drop not null;
alter table projects drop constraint projects_key_key, drop constraint projects_org_id_short_id_key;
create unique index projects_key_key on projects (org_id, key) where org_id is not null;
create unique index projects_short_id_key on projects (org_id, short_id) where org_id is not null;
create index projects_deleted on projects (id) where org_id is null;

-- The counter of a project's events is the last lock of each of its changes. The deletion closes it, so a change that
-- was under way meanwhile does not commit.
alter table event_counters add column closed boolean not null default false;

-- Deleting a flag looks up its schedules, and so does a sweep.
create index schedules_flag_environment on schedules (flag_id, env_id);
