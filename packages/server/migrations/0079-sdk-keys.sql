-- An environment has up to two SDK keys, so that its clients can move from one to the other. `environments.sdk_key` stays
-- and is the newest of them: publishing names it in events and has locked that row. Keys are unique in this table alone,
-- because a change of a unique column takes the full lock of a row, which can deadlock with editors.
create table sdk_keys (
  id uuid primary key,
  env_id uuid not null references environments on delete cascade,
  key text not null unique,
  created_at timestamptz not null,
  -- Null if that is not known.
  created_by jsonb,
  -- When each kind of request was last made with it, by kind.
  uses jsonb not null default '{}'
);
create index sdk_keys_env on sdk_keys (env_id);

-- Ids are unique within a table, so the first key has that of its environment, which sorts before later keys.
insert into sdk_keys (id, env_id, key, created_at, created_by)
select env.id, env.id, env.sdk_key, env.created_at, (
  select jsonb_build_object('type', actor_type, 'id', actor_id, 'name', actor_name) from audit_entries entry
  where entry.org_id = projects.org_id and entry.object_id in (env.id, projects.id)
    and entry.action = case when env.built_in then 'project.create' else 'environment.create' end
  limit 1)
from environments env join projects on projects.id = env.project_id;

alter table environments drop constraint environments_sdk_key_key;

-- When an instance last used each key of its environment, by the key's id. A row without an instance id stands for
-- several instances, so it can use two keys at a time.
alter table sdk_instances add column sdk_keys jsonb not null default '{}';
update sdk_instances set sdk_keys = jsonb_build_object(sdk_keys.id, sdk_instances.last_seen_at)
from sdk_keys where sdk_keys.env_id = sdk_instances.env_id;
