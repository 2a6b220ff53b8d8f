-- What the values of a JSON flag must look like: a subset of JSON Schema, which the service checks when values are saved.
alter table flags add column value_schema jsonb;
