-- The figures of a metric at the one look of a test with a fixed horizon, so that later snapshots do not judge again.
create table kept_figures (
  rule_id uuid not null,
  metric_id uuid not null,
  -- The phase with which results began then. From a later one on, they are of what no longer counts.
  phase integer not null,
  -- What the metric counted. If it counts something else now, they are the figures of another metric.
  counts jsonb not null,
  at timestamptz not null,
  rows jsonb not null,
  cap double precision,
  capped integer not null,
  primary key (rule_id, metric_id)
);
