export {
  deleteRuleRows,
  findRuleRows,
  insertReturningRuleRows,
  insertRuleRows,
  markingServed,
  movedVisitors,
  type RuleRow,
  rulesNaming,
  saveRuleSwitches,
  touchRuleRows,
} from './queries.ts'
export { type RuleUse, ruleUseSchema, useOf } from './use.ts'
