import { hash } from 'node:crypto'

const saltLength = 8

/**
 * The salt of a rule for which nobody chose one: as random as its id, and a quarter as long in every data file. A copy
 * can tell it from a chosen one.
 */
export const defaultSalt = (ruleId: string): string => hash('sha256', ruleId).slice(0, saltLength)
