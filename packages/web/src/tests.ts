import type { DataFile, Rule } from '@svc/core'

const rulesOf = ({ flags }: DataFile): Rule[] => Object.values(flags).flatMap(({ rules = [] }) => rules)

/** Whether visitors keep a variation after the weights have changed. */
export const isKeeping = (file: DataFile): boolean =>
  rulesOf(file).some((rule) => rule.type === 'AB_TEST' && rule.sticky)

/** The attributes by which rules draw, besides the id of the visitor: that is the default, which a file leaves out. */
export const unitsOf = (file: DataFile): Set<string> => new Set(rulesOf(file).flatMap(({ bucketBy = [] }) => bucketBy))
