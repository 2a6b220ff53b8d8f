-- When jobs of a source run by themselves. A source without a schedule has no row.
create table job_schedules (
  source_id uuid primary key,
  project_id uuid not null references projects,
  kind text not null,
  source_name text not null,
  schedule jsonb not null,
  -- Since when the source has a schedule, and when a job of it last succeeded since then.
  scheduled_at timestamptz not null,
  succeeded_at timestamptz,
  -- The slot that has no job yet.
  next_at timestamptz not null,
  -- When it is a problem that no job has succeeded.
  overdue_at timestamptz not null,
  -- What was told. The next success ends it.
  incident text,
  incident_at timestamptz
);
create index job_schedules_next on job_schedules (next_at);
create index job_schedules_overdue on job_schedules (overdue_at) where incident is null;
create index job_schedules_project on job_schedules (project_id, source_id);
