-- Rules whose visitors are counted, and how far their events have been read. A node that works on a rule locks its row.
create table measured_rules (
  rule_id uuid primary key,
  project_id uuid not null,
  flag_id uuid not null,
  env_id uuid not null,
  -- The last batch of exposures in `rule_units`.
  batch bigint not null default 0,
  -- Figures of cohorts from this day on are no longer right; null: all are.
  stale_since date,
  due_at timestamptz not null,
  -- Until when a node works on it. A node that is later than this has lost the rule to another.
  leased_until timestamptz
);
create index measured_rules_due on measured_rules (due_at);
create index measured_rules_project on measured_rules (project_id);

-- The first exposure of a unit in a phase of a rule. `kind` as in `exposures`: what does not count is kept apart.
create table rule_units (
  rule_id uuid not null,
  phase integer not null,
  unit text not null,
  kind smallint not null,
  first_at timestamptz not null,
  first_id uuid not null,
  variation_id uuid not null,
  -- The unit got more than one variation.
  crossed boolean not null,
  -- More exposures in an hour than a person causes.
  busy boolean not null,
  primary key (rule_id, phase, unit, kind)
);
create index rule_units_day on rule_units (rule_id, first_at);

-- How the statistics of a metric were computed. If it differs now, all its cohorts are computed anew.
create table rule_measures (
  rule_id uuid not null,
  metric_id uuid not null,
  measure jsonb not null,
  -- Totals of units above it count as it; null: none are cut. `capped` is their number.
  cap double precision,
  capped integer not null default 0,
  primary key (rule_id, metric_id)
);

-- Units by the day (UTC) of their first exposure.
create table unit_cohorts (
  rule_id uuid not null,
  phase integer not null,
  variation_id uuid not null,
  day date not null,
  units integer not null,
  crossed integer not null,
  bots integer not null,
  overrides integer not null,
  primary key (rule_id, phase, variation_id, day)
);

-- Sufficient statistics of a metric over the units of a cohort. y: the metric, or its numerator. d: the denominator of a
-- ratio. x: the same metric before the first exposure. m2 and c are centred sums of squares and products.
create table metric_cohorts (
  rule_id uuid not null,
  metric_id uuid not null,
  phase integer not null,
  variation_id uuid not null,
  day date not null,
  n integer not null,
  sum_y double precision not null,
  m2_y double precision not null,
  sum_d double precision not null,
  m2_d double precision not null,
  c_yd double precision not null,
  sum_x double precision not null,
  m2_x double precision not null,
  c_yx double precision not null,
  primary key (rule_id, metric_id, phase, variation_id, day)
);

-- What results showed at a moment. The newest of a rule is kept, and the first of each day.
create table snapshots (
  rule_id uuid not null,
  as_of timestamptz not null,
  -- The day (UTC) whose first snapshot this is.
  day date,
  -- JSON as it was written, so that the answer of a snapshot never changes.
  document json not null,
  primary key (rule_id, as_of)
);
create unique index snapshots_day on snapshots (rule_id, day);
