// What `require('next/server')` of next-auth 4 gives without Next.js.
exports.NextResponse = class NextResponse extends Response {}
