export {
  deleteRuleRows,
  findRuleRows,
  insertReturningRuleRows,
  insertRuleRows,
  markingServed,
  type RuleRow,
  type RuleUse,
  rulesNaming,
  saveRuleSwitches,
  touchRuleRows,
} from './queries.ts'
