// The arrays of a three.js geometry as a source of sinew's mesh.

/** Weights whose sum differs from one by more than this are completed by further joints. */
const WEIGHT_ERROR = 1e-6;

/**
 * The joints after the bones, which complete weights that do not sum to one: see `sinew_palette`.
 */
export const EXTRA_JOINTS = 2;

/** All elements of an attribute as numbers, `size` each. */
export function toFloats(attribute, size) {
    const { array, count, itemSize, normalized, isInterleavedBufferAttribute } = attribute;
    if (array instanceof Float32Array && itemSize === size && !normalized && !isInterleavedBufferAttribute) {
        return array.subarray(0, size * count);
    }
    const numbers = new Float32Array(size * count);
    for (let i = 0; i < count; i++) {
        for (let part = 0; part < size; part++) numbers[size * i + part] = attribute.getComponent(i, part);
    }
    return numbers;
}

function requireAttribute(geometry, name) {
    const attribute = geometry.getAttribute(name);
    if (attribute === undefined) throw new TypeError(`geometry: expected the attribute "${name}", found none`);
    return attribute;
}

/** Everything that a built mesh depends on, and its versions. */
export function sourceVersions(geometry, bones) {
    const { attributes, morphAttributes, index } = geometry;
    const used = [index, attributes.position, attributes.normal, attributes.tangent];
    used.push(attributes.skinIndex, attributes.skinWeight);
    used.push(...(morphAttributes.position ?? []), ...(morphAttributes.normal ?? []));
    const versions = [bones, geometry.morphTargetsRelative];
    for (const attribute of used) versions.push(attribute, attribute?.data?.version ?? attribute?.version);
    return versions;
}

/**
 * The joints and weights of all vertices. three.js adds weighted points in world space and leaves
 * weights as they are; where they do not sum to one, the result depends on where the mesh is. One
 * of two further joints then takes the rest.
 */
function influences(geometry, bones) {
    const joints = requireAttribute(geometry, "skinIndex");
    const weights = toFloats(requireAttribute(geometry, "skinWeight"), 4);
    const count = requireAttribute(geometry, "position").count;
    if (joints.count < count || weights.length < 4 * count) {
        throw new RangeError(`geometry: expected skinIndex and skinWeight for ${count} vertices, found fewer`);
    }
    const [skinIndices, skinWeights] = [new Uint32Array(5 * count), new Float32Array(5 * count)];
    for (let i = 0; i < count; i++) {
        let rest = 1;
        for (let k = 0; k < 4; k++) {
            const weight = weights[4 * i + k];
            if (weight === 0) continue;
            skinIndices[5 * i + k] = joints.getComponent(i, k);
            skinWeights[5 * i + k] = weight;
            rest -= weight;
        }
        if (Math.abs(rest) > WEIGHT_ERROR) {
            skinIndices[5 * i + 4] = rest > 0 ? bones : bones + 1;
            skinWeights[5 * i + 4] = Math.abs(rest);
        }
    }
    return { skinIndices, skinWeights };
}

/** The deltas of a morph target. */
function deltas(geometry, name, target) {
    const found = geometry.morphAttributes[name]?.[target];
    const base = geometry.getAttribute(name);
    if (found === undefined || base === undefined) return undefined;
    const numbers = toFloats(found, 3);
    if (geometry.morphTargetsRelative) return numbers;
    const rest = toFloats(base, 3);
    return numbers.map((number, i) => number - rest[i]);
}

/** The arrays of a geometry whose vertices a number of bones moves. */
export function meshSource(geometry, bones) {
    const { normal, tangent } = geometry.attributes;
    const positions = toFloats(requireAttribute(geometry, "position"), 3);
    const { index } = geometry;
    const corners = index === null ? positions.length / 3 : index.count;
    const indices = new Uint32Array(3 * Math.floor(corners / 3));
    for (let i = 0; i < indices.length; i++) indices[i] = index === null ? i : index.getX(i);
    const targets = geometry.morphAttributes.position?.length ?? geometry.morphAttributes.normal?.length ?? 0;
    return {
        positions,
        normals: normal && toFloats(normal, 3),
        tangents: normal && tangent && toFloats(tangent, 4),
        ...influences(geometry, bones),
        indices,
        joints: bones + EXTRA_JOINTS,
        morphTargets: Array.from({ length: targets }, (_, i) => {
            return { positions: deltas(geometry, "position", i), normals: deltas(geometry, "normal", i) };
        }),
        normalizeWeights: false,
        unitDirections: true,
    };
}
