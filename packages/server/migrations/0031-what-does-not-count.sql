-- Units that were exposed while the rule was paused. Those of earlier exposures were counted like others.
alter table unit_cohorts add column paused integer not null default 0;
