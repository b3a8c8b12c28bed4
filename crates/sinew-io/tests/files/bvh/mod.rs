//! Biovision BVH.

mod evaluation;
mod mutations;
mod repairs;

/// Two roots, all orders of channels, an end site, a joint that stands still.
pub(crate) const TEXT: &str = "HIERARCHY
ROOT hips
{
  OFFSET 0.5 1 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Yrotation Xrotation
  JOINT left leg {
    OFFSET 1 -2 0.25
    CHANNELS 3 Xrotation Zrotation Yrotation
    End Site
    {
      OFFSET 0 -1 0
    }
  }
  JOINT spine
  {
    OFFSET 0 2 0
    CHANNELS 4 Yrotation Xrotation Zrotation Yposition
    JOINT head
    {
      OFFSET 0 0 0
      CHANNELS 0
      End Site { OFFSET 0 0.5 0.125 }
    }
  }
}
ROOT prop
{
  OFFSET 3 0 0
  CHANNELS 1 Zposition
  JOINT handle
  {
    OFFSET 0 0 1
    CHANNELS 2 Yrotation Xrotation
  }
}
MOTION
Frames: 3
Frame Time: 0.25
0 1 2 10 20 30 45 -45 90 5 10 15 2 0 0 0
1 2 3 -170 40 80 50 -50 179 5 10 15 2.5 1 30 45
1 2 3 190 -40 500 50 -50 181 5 10 15 2.5 2 60 90
";
