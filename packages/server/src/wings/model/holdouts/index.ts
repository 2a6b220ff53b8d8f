export { shareHoldout } from './queries.ts'
