-- The dashboard looks for schedules that failed or were suspended, among many that have ended as planned.
create index schedules_problems on schedules (updated_at) where status in ('FAILED', 'SUSPENDED');
