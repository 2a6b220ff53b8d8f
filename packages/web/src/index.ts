export type {
  CssBlock,
  HtmlNode,
  Position,
  ServedChange,
  ServedExperiment,
  ServedVariation,
  WebDocument,
} from './document.ts'
export { type Served, scriptOf } from './script.ts'
