-- A record around one A/B rule. What it tests is in the versions of its flag, and its status follows from the rule.
create table experiments (
  id uuid primary key,
  project_id uuid not null references projects on delete cascade,
  short_id integer not null,
  env_id uuid not null references environments on delete cascade,
  type text not null check (type in ('FEATURE', 'WEB')),
  flag_id uuid not null references flags on delete cascade,
  -- Stays when the rule is gone: results are kept under it.
  rule_id uuid not null,
  -- The rule existed before the experiment, and outlives it.
  adopted boolean not null,
  name text not null,
  hypothesis text,
  description text,
  tags text[] not null,
  auto_pause jsonb not null,
  winner jsonb,
  -- The test as it ran, kept from completion on.
  final_definition jsonb,
  -- Kept from completion on. Before, the rule says when it was first served.
  launched_at timestamptz,
  completed_at timestamptz,
  archived_at timestamptz,
  version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint experiments_short_id_key unique (project_id, short_id),
  constraint experiments_rule_id_key unique (rule_id)
);
create index experiments_flag on experiments (flag_id, env_id);
create index experiments_env on experiments (env_id);

alter table short_id_counters drop constraint short_id_counters_kind_check;
alter table short_id_counters add constraint short_id_counters_kind_check
  check (kind in ('RULE', 'AUDIENCE', 'SEGMENT', 'EXCLUSION_GROUP', 'HOLDOUT', 'EXPERIMENT'));
