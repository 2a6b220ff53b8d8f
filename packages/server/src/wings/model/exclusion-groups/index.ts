export { joinGroup, rejoinGroups } from './actions.ts'
export { type GroupSlot, slotsOf } from './queries.ts'
export { wholeGroup } from './slots.ts'
