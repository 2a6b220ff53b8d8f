export {
  deleteRuleRows,
  findRuleRows,
  insertRuleRows,
  markServed,
  type RuleRow,
  type RuleUse,
  rulesNaming,
  saveRuleSwitches,
  touchRuleRow,
} from './queries.ts'
