// Rays against triangles in doubles, one after the other: what sinew's hits are compared with.

import * as THREE from "three";

/**
 * The corners of all triangles of a mesh in world space, nine numbers each, by three.js' own
 * positions.
 */
export function worldTriangles(mesh) {
    const { index, attributes } = mesh.geometry;
    const count = attributes.position.count;
    const positions = new Float64Array(3 * count);
    const vertex = new THREE.Vector3();
    for (let i = 0; i < count; i++) {
        THREE.SkinnedMesh.prototype.getVertexPosition.call(mesh, i, vertex);
        vertex.applyMatrix4(mesh.matrixWorld).toArray(positions, 3 * i);
    }
    const corners = index === null ? count : index.count;
    const triangles = new Float64Array(9 * Math.floor(corners / 3));
    for (let i = 0; 3 * i < triangles.length; i++) {
        const from = 3 * (index === null ? i : index.getX(i));
        for (let k = 0; k < 3; k++) triangles[3 * i + k] = positions[from + k];
    }
    return triangles;
}

/** The nearest hit on either side: the distance and the triangle, or null. */
export function nearestHit(triangles, { origin: o, direction: d }) {
    let [distance, triangle] = [Infinity, -1];
    for (let at = 0; at < triangles.length; at += 9) {
        const [ax, ay, az] = [triangles[at], triangles[at + 1], triangles[at + 2]];
        const e1x = triangles[at + 3] - ax, e1y = triangles[at + 4] - ay, e1z = triangles[at + 5] - az;
        const e2x = triangles[at + 6] - ax, e2y = triangles[at + 7] - ay, e2z = triangles[at + 8] - az;
        const px = d.y * e2z - d.z * e2y, py = d.z * e2x - d.x * e2z, pz = d.x * e2y - d.y * e2x;
        const determinant = e1x * px + e1y * py + e1z * pz;
        if (determinant === 0) continue;
        const tx = o.x - ax, ty = o.y - ay, tz = o.z - az;
        const u = (tx * px + ty * py + tz * pz) / determinant;
        if (u < 0 || u > 1) continue;
        const qx = ty * e1z - tz * e1y, qy = tz * e1x - tx * e1z, qz = tx * e1y - ty * e1x;
        const v = (d.x * qx + d.y * qy + d.z * qz) / determinant;
        if (v < 0 || u + v > 1) continue;
        const t = (e2x * qx + e2y * qy + e2z * qz) / determinant;
        if (t >= 0 && t < distance) [distance, triangle] = [t, at / 9];
    }
    return triangle < 0 ? null : { distance, triangle };
}

const corner = (triangles, triangle, k) => new THREE.Vector3().fromArray(triangles, 9 * triangle + 3 * k);

/** The distance of a point from a triangle. */
export function distanceToTriangle(triangles, triangle, point) {
    const [a, b, c] = [0, 1, 2].map((k) => corner(triangles, triangle, k));
    return new THREE.Triangle(a, b, c).closestPointToPoint(point, new THREE.Vector3()).distanceTo(point);
}

/** The distance of a point from the edges of a triangle. */
export function distanceToEdges(triangles, triangle, point) {
    const corners = [0, 1, 2].map((k) => corner(triangles, triangle, k));
    const lines = corners.map((from, k) => new THREE.Line3(from, corners[(k + 1) % 3]));
    const target = new THREE.Vector3();
    return Math.min(...lines.map((line) => line.closestPointToPoint(point, true, target).distanceTo(point)));
}

/** The largest extent of triangles, and their center. */
export function sizeOf(triangles) {
    const box = new THREE.Box3().setFromArray(triangles);
    const size = box.getSize(new THREE.Vector3());
    return { size: Math.max(size.x, size.y, size.z), center: box.getCenter(new THREE.Vector3()) };
}

/** A ray from about a mesh toward a point near its surface. */
export function randomRay(triangles, { size, center }, random) {
    const vector = () => new THREE.Vector3(random() - 0.5, random() - 0.5, random() - 0.5);
    const origin = vector().normalize().multiplyScalar(size * (0.2 + 3 * random())).add(center);
    const at = 9 * Math.floor(random() * (triangles.length / 9));
    const target = new THREE.Vector3().fromArray(triangles, at).addScaledVector(vector(), 0.1 * size);
    return new THREE.Ray(origin, target.sub(origin).normalize());
}
