import { type Condition, compileCondition, type DataFile, type Predicate } from '@svc/core'

/** Compiles the conditions of pages, which name no audience and no segment. */
export const compileConditions =
  (_file: DataFile) =>
  (condition: Condition): Predicate =>
    compileCondition(condition)
