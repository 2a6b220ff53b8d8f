-- The values with the most units have figures, and values that grow take the places of others. `rest`: what the other
-- values of the name count as.
alter table rule_dimensions add column rest boolean not null default false;
alter table rule_dimensions drop constraint rule_dimensions_pkey;
alter table rule_dimensions add primary key (rule_id, name, value, rest);

-- The facts of the first exposure that are no dimension of their own. Null: none are, or the unit was counted before
-- they were kept.
alter table rule_units add column others jsonb;

-- How many units the rule had when its values were chosen last.
alter table measured_rules add column dimensions_chosen_at integer not null default 0;
