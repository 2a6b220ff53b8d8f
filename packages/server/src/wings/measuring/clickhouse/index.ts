export { clickHouseStore } from './actions.ts'
export { observeClickHouse } from './metrics.ts'
