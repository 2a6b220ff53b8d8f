-- The values by which results can be split, such as `country` = `DE`. A rule keeps its first ones, so that a value that
-- is different for each visitor costs little.
create table rule_dimensions (
  rule_id uuid not null,
  -- Stands for the value in the other tables.
  dimension integer not null,
  name text not null,
  value text not null,
  primary key (rule_id, name, value)
);

-- The dimensions of the first exposure. Null: it had none, or was counted before this column was there.
alter table rule_units add column dimensions integer[];
alter table changed_units add column was_dimensions integer[];

-- Like `unit_cohorts`, for one value each.
create table dimension_units (
  rule_id uuid not null,
  dimension integer not null,
  phase integer not null,
  variation_id uuid not null,
  units integer not null,
  primary key (rule_id, dimension, phase, variation_id)
);

-- Like `metric_cohorts`, for one value each. There are no days, because nothing is computed by day and value.
create table dimension_cohorts (
  rule_id uuid not null,
  metric_id uuid not null,
  phase integer not null,
  variation_id uuid not null,
  dimension integer not null,
  n integer not null,
  sum_y numeric not null,
  sum_yy numeric not null,
  sum_d numeric not null,
  sum_dd numeric not null,
  sum_yd numeric not null,
  sum_x numeric not null,
  sum_xx numeric not null,
  sum_yx numeric not null,
  primary key (rule_id, metric_id, phase, variation_id, dimension)
);

-- What the newest snapshot shows by each dimension. JSON as it was written, as in `snapshots`.
create table snapshot_dimensions (
  rule_id uuid not null,
  name text not null,
  document json not null,
  primary key (rule_id, name)
);
