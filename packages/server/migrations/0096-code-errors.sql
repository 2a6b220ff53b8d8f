-- Errors that the code of variations has thrown on pages of visitors. One row stands for the same error of the same code.
create table code_errors (
  id uuid primary key,
  project_id uuid not null references projects,
  experiment_id uuid not null references experiments on delete cascade,
  variation_id uuid not null,
  variation_key text not null,
  code_version text not null check (length(code_version) = 8),
  -- Within the code, from 1. Null if it is not known.
  line integer,
  -- Tells errors of an experiment apart: a hash of variation, code, line and message without its digits.
  fingerprint text not null,
  message text not null,
  -- The line of the code; null if it is not known.
  excerpt text,
  count bigint not null default 0,
  -- How many visitors have met it.
  visitors integer not null default 0,
  first_seen_at timestamptz not null,
  last_seen_at timestamptz not null,
  -- When the event was sent, and when it paused the experiment: each once.
  reported_at timestamptz,
  paused_at timestamptz,
  unique (experiment_id, fingerprint)
);
create index code_errors_seen on code_errors (last_seen_at);
create index code_errors_project on code_errors (project_id);
