export interface ExplainedScope {
  scope: string
  text: string
  ineffective: boolean
}
