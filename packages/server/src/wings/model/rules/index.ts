export {
  deleteRuleRows,
  findRuleRows,
  insertReturningRuleRows,
  insertRuleRows,
  markingServed,
  movedVisitors,
  type RuleRow,
  type RuleUse,
  rulesNaming,
  saveRuleSwitches,
  touchRuleRows,
} from './queries.ts'
