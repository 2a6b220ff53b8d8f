-- Models of recommendations.
create table models (
  id uuid primary key,
  project_id uuid not null references projects on delete cascade,
  key text not null,
  name text not null,
  strategy text not null check (strategy in (
    'POPULAR', 'TRENDING', 'VIEWED_TOGETHER', 'BOUGHT_TOGETHER', 'SIMILAR', 'FOR_YOU', 'IMPORTED')),
  -- What it learns from. Null: from the catalog, or directly from events.
  dataset_id uuid,
  settings jsonb not null,
  schedule jsonb,
  -- The number of its last run, and the run that serves.
  runs integer not null default 0,
  active_run_id uuid,
  activated_at timestamptz,
  version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint models_key_key unique (project_id, key),
  constraint models_name_key unique (project_id, name)
);

-- What builds a model. Its job makes it, in its first attempt.
create table model_runs (
  id uuid primary key,
  model_id uuid not null references models on delete cascade,
  number integer not null,
  job_id uuid not null unique,
  status text not null check (status in ('RUNNING', 'SUCCEEDED', 'FAILED', 'CANCELLED')),
  started_at timestamptz not null,
  ended_at timestamptz,
  -- Of one that succeeded: what was measured, how many products it has something for, and its size.
  metrics jsonb,
  products integer,
  bytes bigint,
  activated_at timestamptz,
  -- Why it failed, or was not activated.
  reason text,
  unique (model_id, number)
);

-- A model as bytes, in parts of 1 MiB. A run has several models if its strategy answers from several.
create table model_parts (
  run_id uuid not null references model_runs on delete cascade,
  model smallint not null,
  part integer not null,
  sha256 bytea not null,
  bytes bytea not null,
  primary key (run_id, model, part)
);
-- Numbers do not become smaller.
alter table model_parts alter column bytes set storage external;
