-- Snapshots read each event once: they keep what a unit did, and add what is new to it. What they have computed so far
-- is computed anew from the events, all of which are still kept.
truncate rule_units, unit_cohorts, rule_measures;
update measured_rules set batch = 0;
-- Figures are no longer stale: what changes a unit changes its figures at once.
alter table measured_rules drop column stale_since;

-- New events look for their unit in all phases.
alter table rule_units drop constraint rule_units_pkey;
alter table rule_units add primary key (rule_id, unit, phase, kind);

-- How far the events of a metric have been read. Units count whose first exposure is from `counted_from` to before
-- `counted_until`: later ones have not had their time yet, and events of earlier ones may be deleted.
alter table rule_measures
  add column batch bigint not null,
  add column counted_from timestamptz not null,
  add column counted_until timestamptz not null;

-- What a unit did, for a metric: y, d and x as in `metric_cohorts`. Units without events have no row. y and x of a
-- proportion are numbers of events. Exact numbers, so that the order of arrival makes no difference.
create table unit_totals (
  rule_id uuid not null,
  metric_id uuid not null,
  unit text not null,
  phase integer not null,
  y numeric not null,
  d numeric not null,
  x numeric not null,
  primary key (rule_id, metric_id, unit, phase)
);

-- Units that are new or have changed since metrics were computed, and how metrics counted them (null: not at all).
create table changed_units (
  rule_id uuid not null,
  phase integer not null,
  unit text not null,
  was_first_at timestamptz,
  was_variation_id uuid,
  primary key (rule_id, phase, unit)
);

-- Sums of squares and products are exact and not centred: they can be added to and taken from.
drop table metric_cohorts;
create table metric_cohorts (
  rule_id uuid not null,
  metric_id uuid not null,
  phase integer not null,
  variation_id uuid not null,
  day date not null,
  n integer not null,
  sum_y numeric not null,
  sum_yy numeric not null,
  sum_d numeric not null,
  sum_dd numeric not null,
  sum_yd numeric not null,
  sum_x numeric not null,
  sum_xx numeric not null,
  sum_yx numeric not null,
  primary key (rule_id, metric_id, phase, variation_id, day)
);

-- The events of a unit that was exposed after them.
create index tracked_events_unit on tracked_events (env_id, unit);
