export { type Proof, proveSecondFactor, type SecondFactorContext, unreadableFactors } from './actions.ts'
export { countSealedFactors } from './queries.ts'
export { secondFactorRoutes } from './routes.ts'
