/** A body for `POST …/flags`. */
export const booleanFlag = (key: string) => ({
  name: `Flag ${key}`,
  key,
  type: 'BOOLEAN',
  variations: [
    { name: 'On', key: 'on', value: 'true' },
    { name: 'Off', key: 'off', value: 'false' },
  ],
  defaultVariationKey: 'off',
})
