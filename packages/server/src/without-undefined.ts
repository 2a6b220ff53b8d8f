/** The fields that are given. Spread over others, an optional field with `undefined` would overwrite what it leaves out. */
export const withoutUndefined = <Fields extends object>(fields: Fields) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Fields]?: Exclude<Fields[Name], undefined>
  }
