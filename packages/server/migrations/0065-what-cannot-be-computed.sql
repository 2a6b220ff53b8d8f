-- What is wrong with the results of a rule, in a sentence, and since when. Null: they are computed.
alter table measured_rules add column failure text;
alter table measured_rules add column failing_since timestamptz;
