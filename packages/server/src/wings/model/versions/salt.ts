import { hash } from 'node:crypto'

const saltLength = 8

/**
 * The salt of a rule without a chosen one. It is as random as the id and a quarter as long in every data file. Copies
 * can distinguish it from a chosen one.
 */
export const defaultSalt = (ruleId: string): string => hash('sha256', ruleId).slice(0, saltLength)
