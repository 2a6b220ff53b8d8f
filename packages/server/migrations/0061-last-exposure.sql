-- When a visitor of the rule was exposed last, new or not. Null: not since this is noted.
alter table measured_rules add column last_exposure_at timestamptz;
