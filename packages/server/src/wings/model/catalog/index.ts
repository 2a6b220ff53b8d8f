export {
  type Availability,
  availabilities,
  type CheckedItem,
  checkItem,
  conditions,
  type ErrorCode,
  type Item,
  idFault,
  itemHash,
  type Problem,
  type WarningCode,
} from './item.ts'
export { type Amount, isCurrency, minorUnits, parseAmount, printAmount } from './money.ts'
