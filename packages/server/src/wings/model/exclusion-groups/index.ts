export { joinGroup, rejoinGroups } from './actions.ts'
export { type GroupSlot, goneGroups, lockGroups, slotless, slotsOf } from './queries.ts'
export { wholeGroup } from './slots.ts'
