import type { Condition, DataFile, Predicate } from '@svc/core'
import { conditionsOf } from '../../../core/src/conditions/page-conditions.ts'

/** As in `conditions.ts`, in fewer bytes: by what evaluates the data file. */
export const compileConditions = (file: DataFile): ((condition: Condition) => Predicate) => conditionsOf(file)
