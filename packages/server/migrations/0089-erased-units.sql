-- The events of these units were deleted because a person asked for it. What they did stays as it was counted.
alter table rule_units add column erased boolean not null default false;
