-- Units with a value other than 0, as the minimum of conversions counts them. Null: counted before they were kept.
alter table metric_cohorts add column converted bigint;
alter table dimension_cohorts add column converted bigint;

-- A measure that is not the wanted one is computed anew, from all events that are kept.
update rule_measures set measure = measure || '{"hasConverted": false}';
