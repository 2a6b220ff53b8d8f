/**
 * A number with its noun, for people: `counted(2, 'rule')` is "2 rules", and `counted(1, 'entry', 'entries')` is
 * "1 entry". Thousands have commas.
 */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`
