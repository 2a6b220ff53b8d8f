-- The experiment that measures what a placement brings.
alter table placements add column experiment_id uuid references experiments on delete set null;
create index placements_experiment on placements (experiment_id) where experiment_id is not null;
