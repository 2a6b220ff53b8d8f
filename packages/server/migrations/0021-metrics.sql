-- What A/B tests compare. Rules name a metric by its key.
create table metrics (
  id uuid primary key,
  project_id uuid not null references projects on delete cascade,
  key text not null,
  name text not null,
  type text not null check (type in ('PROPORTION', 'MEAN', 'RATIO')),
  event_key text not null,
  value_from text,
  denominator jsonb,
  direction text not null check (direction in ('INCREASE', 'DECREASE')),
  unit text,
  conversion_window_hours integer not null,
  winsorize_at double precision,
  non_inferiority_margin double precision,
  archived boolean not null default false,
  version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint metrics_key_key unique (project_id, key),
  constraint metrics_name_key unique (project_id, name)
);

-- Finds the few flags with an A/B test: only their rules name metrics.
create index flag_environments_ab_tests on flag_environments (env_id)
  where draft @? '$.rules[*] ? (@.type == "AB_TEST")' or live @? '$.rules[*] ? (@.type == "AB_TEST")';
