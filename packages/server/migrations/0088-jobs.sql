-- Work that a person or a schedule asks for, that takes a while, and that a person must see fail. A job is its own queue
-- row, like a delivery: `due_at` and `leased_until` say when a node can take it, `claims` is the fence.
create table jobs (
  id uuid primary key,
  project_id uuid not null references projects,
  kind text not null,
  -- What the job is about, with its name then: the project itself for a job without a source of its own.
  source_id uuid not null,
  source_name text not null,
  -- Whether jobs of this kind wait for each other. Otherwise a source has one open job at a time.
  queues boolean not null,
  status text not null check (status in ('QUEUED', 'RUNNING', 'SUCCEEDED', 'FAILED', 'CANCELLED', 'HELD')),
  trigger text not null check (trigger in ('SCHEDULE', 'REQUEST', 'UPLOAD')),
  -- Tries so far, and those of them that failed and are tried again.
  attempt integer not null default 0,
  failures integer not null default 0,
  due_at timestamptz not null,
  leased_until timestamptz,
  claims bigint not null default 0,
  cancel_asked boolean not null default false,
  started_at timestamptz,
  ended_at timestamptz,
  progress jsonb,
  -- What the job works with. Null once it has ended well: it can name people.
  input jsonb,
  result jsonb,
  reason text,
  items_skipped integer not null default 0,
  -- The held job that this one applies, and the failed one that it tries again.
  applies_job_id uuid,
  retries_job_id uuid,
  -- What the watchdog has told about an open job.
  incident text,
  incident_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index jobs_project on jobs (project_id, id);
create index jobs_due on jobs (due_at) where status in ('QUEUED', 'RUNNING');
create index jobs_source on jobs (source_id, kind, id);
create unique index jobs_one_open on jobs (source_id) where status in ('QUEUED', 'RUNNING') and not queues;
create unique index jobs_one_running on jobs (source_id, kind) where status = 'RUNNING' and queues;

-- What a job could not use, by line of what it read. Warnings were used all the same.
create table job_errors (
  id uuid primary key,
  job_id uuid not null references jobs on delete cascade,
  line integer,
  item_id text,
  code text not null,
  message text not null,
  is_warning boolean not null,
  created_at timestamptz not null
);
create index job_errors_job on job_errors (job_id, id);
create index job_errors_age on job_errors (created_at);
