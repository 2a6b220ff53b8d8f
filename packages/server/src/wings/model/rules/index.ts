export {
  deleteRuleRows,
  findRuleRows,
  insertRuleRows,
  markingServed,
  type RuleRow,
  type RuleUse,
  rulesNaming,
  saveRuleSwitches,
  touchRuleRow,
} from './queries.ts'
