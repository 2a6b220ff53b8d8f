-- The third moments of y, for its skewness. Null: counted before they were kept, and the events may be deleted.
alter table metric_cohorts add column sum_yyy numeric;
alter table dimension_cohorts add column sum_yyy numeric;

-- A measure that is not the wanted one is computed anew, from all events that are kept.
update rule_measures set measure = measure || '{"hasThirdMoments": false}';
