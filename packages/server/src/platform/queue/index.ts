export { type Claimed, type Demand, lanes } from './lanes.ts'
